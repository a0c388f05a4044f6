partner = {')': '(', ']': '[', '}': '{'}
stack = []
balanced = True
for bracket in input():
    if bracket in '([{':
        stack.append(bracket)
    elif stack.pop() != partner[bracket]:
        balanced = False
        break
print('yes' if balanced and not stack else 'no')
