n, k = map(int, input().split())
values = list(map(int, input().split()))
worth = sum(values[:k])
best = max(0, worth)
for i in range(k, n):
    worth += values[i] - values[i - k]
    if worth > best:
        best = worth
print(best)
