#include <stdio.h>

int main(void)
{
    int n, k, v[100000];
    scanf("%d %d", &n, &k);
    for (int i = 0; i < n; i++) {
        scanf("%d", &v[i])
    }
    long long best = -1000000000;
    for (int i = 0; i + k <= n; i++) {
        long long sum = 0;
        for (int j = i; j < i + k; j++)
            sum += v[j];
        if (sum > best)
            best = sum;
    }
    printf("%lld\n", best);
    return 0;
}
