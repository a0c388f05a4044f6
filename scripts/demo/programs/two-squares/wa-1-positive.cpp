#include <iostream>

int main() {
    long long n;
    std::cin >> n;
    long long a = 1, b = 1;
    while (b * b < n) b++;
    while (a <= b) {
        long long sum = a * a + b * b;
        if (sum == n) {
            std::cout << a << ' ' << b << "\n";
            return 0;
        }
        if (sum < n) a++;
        else b--;
    }
    std::cout << "impossible\n";
}
