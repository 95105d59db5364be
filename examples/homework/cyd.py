import statistics


def mean(values):
    return statistics.fmean(values) if values else None


def largest(values):
    return max(values)
