from collections import Counter

input()
for word, count in Counter(input().split()).most_common():
    print(word, count)
