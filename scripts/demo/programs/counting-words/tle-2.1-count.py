input()
words = input().split()
counts = [(-words.count(word), word) for word in set(words)]
for count, word in sorted(counts):
    print(word, -count)
