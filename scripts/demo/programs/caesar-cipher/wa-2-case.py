import string

k = int(input()) % 26
letters = string.ascii_lowercase
text = input().lower()
print(text.translate(str.maketrans(letters, letters[k:] + letters[:k])))
