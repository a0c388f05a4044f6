#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<long long> before(n + 1);
    for (int i = 0, v; i < n; i++) {
        std::cin >> v;
        before[i + 1] = before[i] + v;
    }
    long long best = before[k];
    for (int i = k; i <= n; i++) best = std::max(best, before[i] - before[i - k]);
    std::cout << best << "\n";
}
