from math import isqrt

n = int(input())
for a in range(isqrt(n) + 1):
    b = isqrt(n - a * a)
    if a * a + b * b == n:
        print(a, b)
        break
else:
    print('impossible')
