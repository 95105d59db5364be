def mean(values):
    """The mean of some numbers, None of none."""
    if not values:
        return None
    total = 0
    for value in values:
        total += value
    return total / len(values)


def largest(values):
    best = values[0]
    for value in values[1:]:
        if value > best:
            best = value
    return best
