n, k = map(int, input().split())
values = list(map(int, input().split()))
worth = best = sum(values[:k])
for old, new in zip(values, values[k:]):
    worth += new - old
    best = max(best, worth)
print(best)
