#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, k, best = 0, sum = 0;
    std::cin >> n >> k;
    std::vector<int> v(n);
    for (int i = 0; i < n; i++) {
        std::cin >> v[i];
        sum += v[i];
        if (i >= k) sum -= v[i - k];
        if (i >= k - 1) best = std::max(best, sum);
    }
    std::cout << best << "\n";
}
