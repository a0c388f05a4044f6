#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<double> v(n);
    for (double &value : v) std::cin >> value;
    double best = -1e18;
    for (int i = 0; i + k <= n; i++) {
        double sum = 0;
        for (int j = i; j < i + k; j++) sum += v[j];
        best = std::max(best, sum);
    }
    std::cout << (long long)best << "\n";
}
