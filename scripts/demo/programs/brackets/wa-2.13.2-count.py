text = input()
depth = {'(': 0, '[': 0, '{': 0}
closes = {')': '(', ']': '[', '}': '{'}
balanced = True
for bracket in text:
    if bracket in depth:
        depth[bracket] += 1
    else:
        depth[closes[bracket]] -= 1
        balanced = balanced and depth[closes[bracket]] >= 0
print('yes' if balanced and not any(depth.values()) else 'no')
