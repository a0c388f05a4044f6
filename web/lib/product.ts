/** The product's name: the one place where it is written in the app (index.html shows it until the app runs). */
export const PRODUCT_NAME = 'CourseJudge'
