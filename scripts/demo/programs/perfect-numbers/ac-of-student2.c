#include <stdio.h>

/* Sum of all divisors of n, by pairs. */
static long long divisor_sum(long long n)
{
    long long sum = 0;
    for (long long d = 1; d * d <= n; d++) {
        if (n % d != 0)
            continue;
        sum += d;
        if (d != n / d)
            sum += n / d;
    }
    return sum;
}

static const char *kind(long long n, long long sum)
{
    if (sum == 2 * n)
        return "perfect";
    return sum < 2 * n ? "deficient" : "abundant";
}

int main(void)
{
    long long n;
    if (scanf("%lld", &n) != 1)
        return 1;
    long long sum = divisor_sum(n);
    printf("%lld\n", sum);
    printf("%s\n", kind(n, sum));
    return 0;
}
