#include <cstdio>

int main() {
    int n, x, read = 0;
    double sum = 0;
    std::scanf("%d", &n);
    while (read < n) {
        std::scanf("%d", &x);
        sum += x;
        std::printf("after %d values: %f\n", read, sum);
    }
}
