low, high = 1, int(input())
while True:
    middle = (low + high) // 2
    print('?', middle, flush=True)
    answer = input()
    if answer == 'equal':
        print('!', middle, flush=True)
        break
    low, high = {'lower': (low, middle - 1), 'higher': (middle + 1, high)}[answer.upper()]
