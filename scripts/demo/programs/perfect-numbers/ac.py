from math import isqrt

n = int(input())
divisors = set()
for d in range(1, isqrt(n) + 1):
    if n % d == 0:
        divisors |= {d, n // d}
total = sum(divisors)
print(total)
print('deficient' if total < 2 * n else 'perfect' if total == 2 * n else 'abundant')
