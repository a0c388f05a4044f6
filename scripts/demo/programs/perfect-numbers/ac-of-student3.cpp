#include <cstdio>
using namespace std;

// deficient, perfect or abundant?
static const char *artOf(long long number, long long total) {
    if (total == 2 * number) return "perfect";
    return total < 2 * number ? "deficient" : "abundant";
}

// adds up i and number / i
static long long addUp(long long number) {
    long long total = 0;
    for (long long i = 1; i * i <= number; i++) {
        if (number % i != 0) continue; // no divisor
        total += i;
        if (i != number / i) total += number / i;
    }
    return total;
}

int main() {
    long long number;
    scanf("%lld", &number);
    long long total = addUp(number);
    printf("%lld\n", total);
    printf("%s\n", artOf(number, total));
    return 0;
}
