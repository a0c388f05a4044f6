most = int(input())
for number in range(1, most + 1):
    print('?', number, flush=True)
    if input() == 'equal':
        print('!', number, flush=True)
        break
