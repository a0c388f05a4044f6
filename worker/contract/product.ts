/** The product's name. It is written only here (and in index.html, which shows it until the web app runs). */
export const PRODUCT_NAME = 'CourseJudge'
