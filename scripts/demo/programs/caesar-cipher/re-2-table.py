letters = 'abcdefghijklmnopqrstuvwxyz'
k = int(input())
code = {letter: letters[(i + k) % 26] for i, letter in enumerate(letters)}
code[' '] = ' '
print(''.join(code[letter] for letter in input()))
