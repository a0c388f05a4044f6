from functools import cache


@cache
def fib(n):
    return n if n < 2 else (fib(n - 1) + fib(n - 2)) % (10 ** 9 + 7)


print(fib(int(input())))
