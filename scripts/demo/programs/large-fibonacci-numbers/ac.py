MOD = 10 ** 9 + 7


def times(p, q):
    a, b, c = p
    d, e, f = q
    return (a * d + b * e) % MOD, (a * e + b * f) % MOD, (b * e + c * f) % MOD


n = int(input())
power, result = (1, 1, 0), (1, 0, 1)
while n:
    if n % 2:
        result = times(result, power)
    power = times(power, power)
    n //= 2
print(result[1])
