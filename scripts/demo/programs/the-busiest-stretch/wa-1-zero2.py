from itertools import accumulate

n, k = map(int, input().split())
before = [0, *accumulate(map(int, input().split()))]
best = 0
for end in range(k, n + 1):
    best = max(best, before[end] - before[end - k])
print(best)
