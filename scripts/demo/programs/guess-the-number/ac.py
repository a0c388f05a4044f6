low, high = 1, int(input())
while low < high:
    middle = (low + high + 1) // 2
    print('?', middle, flush=True)
    if input() == 'lower':
        high = middle - 1
    else:
        low = middle
print('!', low, flush=True)
