#include <iostream>

int main() {
    int n, sum = 0;
    std::cin >> n;
    for (int i = 1; i * i <= n; i++)
        if (n % i == 0) {
            sum += i;
            if (i * i != n) sum += n / i;
        }
    std::cout << sum << "\n" << (sum == 2 * n ? "perfect" : sum < 2 * n ? "deficient" : "abundant") << "\n";
}
