n = int(input())
root = int(n ** 0.5) + 1
found = [(a, b) for a in range(root + 1) for b in range(root + 1) if a * a + b * b == n]
print(*found[0] if found else ['impossible'])
