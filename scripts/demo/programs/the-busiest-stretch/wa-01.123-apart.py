n, k = map(int, input().split())
values = sorted(map(int, input().split()))
print(sum(values[n - k:]))
