#include <iostream>

int main() {
    long long n;
    std::cin >> n;
    for (long long a = 0; a * a <= n; a++) {
        long long b = sqrtl(n - a * a);
        if (a * a + b * b == n) std::cout << a << ' ' << b << "\n";
    }
}
