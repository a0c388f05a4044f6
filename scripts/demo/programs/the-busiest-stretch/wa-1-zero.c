#include <stdio.h>

static int v[100000];

int main(void)
{
    int n, k;
    long long before[100001] = {0}, best = 0;
    scanf("%d %d", &n, &k);
    for (int i = 0; i < n; i++) {
        scanf("%d", &v[i]);
        before[i + 1] = before[i] + v[i];
    }
    for (int start = 0; start + k <= n; start++) {
        long long worth = before[start + k] - before[start];
        if (worth > best)
            best = worth;
    }
    printf("%lld\n", best);
    return 0;
}
