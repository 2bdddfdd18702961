/** Characters that show nothing: white space, controls, invisible marks, and the blank Braille pattern. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** False for text that looks empty, such as spaces or zero-width characters only. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);
