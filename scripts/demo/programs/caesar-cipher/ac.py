k = int(input())
shifted = ''
for letter in input():
    if letter.isalpha():
        first = ord('a') if letter.islower() else ord('A')
        letter = chr(first + (ord(letter) - first + k) % 26)
    shifted += letter
print(shifted)
