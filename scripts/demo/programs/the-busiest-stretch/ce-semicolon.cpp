#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<int> sums(n + 1);
    for (int i = 0; i < n; i++) {
        int worth;
        std::cin >> worth;
        sums[i + 1] = sums[i] + worth
    }
    int best = sums[k];
    for (int i = k; i <= n; i++) best = std::max(best, sums[i] - sums[i - k]);
    std::cout << best << '\n';
}
