from collections import Counter

input()
counts = Counter(input().split())
for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
    print(word, count)
