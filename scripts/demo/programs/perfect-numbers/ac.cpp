#include <cmath>
#include <cstdint>
#include <iostream>

int main() {
    int64_t n;
    std::cin >> n;
    const int64_t root = std::sqrt((double)n);
    int64_t all = root * root == n ? -root : 0;
    for (int64_t small = root; small > 0; --small)
        all += n % small ? 0 : small + n / small;
    std::cout << all << std::endl;
    if (all == n + n) std::cout << "perfect" << std::endl;
    if (all < n + n) std::cout << "deficient" << std::endl;
    if (all > n + n) std::cout << "abundant" << std::endl;
}
