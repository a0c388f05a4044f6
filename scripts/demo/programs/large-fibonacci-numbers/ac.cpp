#include <iostream>
#include <utility>

const long long MOD = 1'000'000'007;

std::pair<long long, long long> fib(long long n) {
    if (n == 0) return {0, 1};
    auto [a, b] = fib(n / 2);
    long long even = a * ((2 * b - a + MOD) % MOD) % MOD, odd = (a * a + b * b) % MOD;
    if (n % 2) return {odd, (even + odd) % MOD};
    return {even, odd};
}

int main() {
    long long n;
    std::cin >> n;
    std::cout << fib(n).first << "\n";
}
