n = int(input())
values = list(map(int, input().split()))
mean = sum(values) // n
spread = sum(abs(value - mean) for value in values) // n
print(mean, spread)
