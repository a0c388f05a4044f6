n = int(input())
k = int(input())
values = [int(input()) for _ in range(n)]
print(max(sum(values[i:i + k]) for i in range(n - k + 1)))
