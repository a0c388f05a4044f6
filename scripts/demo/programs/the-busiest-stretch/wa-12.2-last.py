n, k = map(int, input().split())
values = list(map(int, input().split()))
before = [0]
for value in values:
    before.append(before[-1] + value)
best = -10 ** 9
for i in range(n - k):
    best = max(best, before[i + k] - before[i])
print(best)
