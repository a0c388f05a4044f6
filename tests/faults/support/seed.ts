/** The seed of what is left to chance; printed, so that a run can be repeated: FAULTS_SEED=7 npm run test:faults. */
export const seed = Number(process.env['FAULTS_SEED'] ?? Date.now() % 1_000_000)
console.log(`FAULTS_SEED=${seed}`)
