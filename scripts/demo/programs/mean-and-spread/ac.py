from statistics import fmean, pstdev

input()
values = list(map(int, input().split()))
print(fmean(values), pstdev(values))
