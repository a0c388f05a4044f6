#include <stdio.h>

int main(void)
{
    long long n, sum = 0;
    scanf("%lld", &n);
    for (long long i = 1; i <= n; i++)
        if (n % i == 0)
            sum += i;
    printf("%lld\n", sum);
    puts(sum < 2 * n ? "deficient" : sum == 2 * n ? "perfect" : "abundant");
}
