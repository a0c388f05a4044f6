#include <stdio.h>

int main(void)
{
    static int v[100000];
    int n, k;
    scanf("%d %d", &n, &k);
    for (int i = 0; i < n; i++)
        scanf("%d", v + i);
    int best = -1000000000, stretch = 0;
    for (int i = 0; i < n; i++) {
        if (i >= k) {
            if (stretch > best)
                best = stretch;
            stretch -= v[i - k];
        }
        stretch += v[i];
    }
    printf("%d\n", best);
}
