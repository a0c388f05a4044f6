#include <algorithm>
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
    int n, k;
    std::cin >> n >> k;
    std::vector<long long> v(n);
    for (auto &value : v) std::cin >> value;
    std::sort(v.begin(), v.end(), std::greater<>());
    std::cout << std::accumulate(v.begin(), v.begin() + k, 0LL) << std::endl;
}
