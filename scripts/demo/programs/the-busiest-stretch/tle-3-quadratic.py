n, k = map(int, input().split())
values = list(map(int, input().split()))
print(max(sum(values[i:i + k]) for i in range(n - k + 1)))
