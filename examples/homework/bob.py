def average(numbers):
    """The mean of some numbers, None of none."""
    if not numbers:
        return None
    result = 0
    for number in numbers:
        result += number
    return result / len(numbers)


def maximum(numbers):
    top = numbers[0]
    for number in numbers[1:]:
        if number > top:
            top = number
    return top
