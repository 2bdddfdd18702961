/**
 * Checked by the compiler alone: a decorator of a field goes only on a property of exactly its type. Every
 * `@ts-expect-error` fails the build if the line below it should start to compile.
 */
import {
  BooleanField,
  DateField,
  EmailField,
  EnumField,
  EnumListField,
  IntegerField,
  JsonField,
  ListField,
  NumberField,
  PatchOf,
  PickOf,
  OmitOf,
  RefField,
  StringField,
  StringListField,
  UuidField,
  defineEnum,
} from '../../src/common/fields/index.js';

const COLOR = defineEnum('Color', ['red', 'green']);
type Color = 'red' | 'green';

class Part {
  @StringField()
  name!: string;

  @IntegerField({ optional: true })
  size?: number;
}
class Other {
  @BooleanField()
  on!: boolean;
}

export class Agreeing {
  @StringField() text!: string;
  @StringField({ optional: true }) optionalText?: string;
  @StringField({ nullable: true }) nullableText!: string | null;
  @StringField({ nullable: true, optional: true }) bothText?: string | null;
  @UuidField() uuid!: string;
  @EmailField({ allowEmpty: true }) email!: string;
  @BooleanField() on!: boolean;
  @IntegerField({ min: 0 }) count!: number;
  @NumberField({ nullable: true }) share!: number | null;
  @DateField({ optional: true }) at?: Date;
  @EnumField(COLOR) color!: Color;
  @JsonField() json!: Record<string, unknown>;
  @RefField(() => Part, { nullable: true }) part!: Part | null;
  @ListField(() => Part) parts!: Part[];
  @StringListField({ optional: true }) names?: string[];
  @EnumListField(COLOR) colors!: Color[];
}

export class WrongKind {
  // @ts-expect-error a string is not a number
  @StringField() text!: number;
  // @ts-expect-error a number is not a string
  @IntegerField() count!: string;
  // @ts-expect-error a number is not a bigint
  @NumberField() share!: bigint;
  // @ts-expect-error a boolean is not a string
  @BooleanField() on!: string;
  // @ts-expect-error a date is not the text of one
  @DateField() at!: string;
  // @ts-expect-error a uuid is text
  @UuidField() id!: number;
  // @ts-expect-error an address is text
  @EmailField() email!: string[];
  // @ts-expect-error an object is not a list
  @JsonField() json!: unknown[];
  // @ts-expect-error any agrees with nothing
  @StringField() loose!: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- shows that any is refused
}

export class WrongPresence {
  // @ts-expect-error the decorator allows null, the type does not
  @StringField({ nullable: true }) nullable!: string;
  // @ts-expect-error the type allows null, the decorator does not
  @StringField() notNullable!: string | null;
  // @ts-expect-error the decorator allows absence, the type does not
  @IntegerField({ optional: true }) optional!: number;
  // @ts-expect-error the type allows absence, the decorator does not
  @IntegerField() notOptional?: number;
  // @ts-expect-error the type allows null as well
  @DateField({ optional: true }) absent?: Date | null;
  // @ts-expect-error the type allows absence as well
  @BooleanField({ nullable: true }) empty?: boolean | null;
}

export class WrongMember {
  // @ts-expect-error wider than the enumeration
  @EnumField(COLOR) wide!: string;
  // @ts-expect-error a value too many
  @EnumField(COLOR) more!: Color | 'blue';
  // @ts-expect-error a value is missing
  @EnumField(COLOR) less!: 'red';
  // @ts-expect-error another class
  @RefField(() => Part) part!: Other;
  // @ts-expect-error one is not a list
  @RefField(() => Part) one!: Part[];
  // @ts-expect-error a list of another class
  @ListField(() => Part) parts!: Other[];
  // @ts-expect-error a list of strings holds no numbers
  @StringListField() names!: number[];
  // @ts-expect-error a list of values of the enumeration is narrower
  @EnumListField(COLOR) colors!: string[];
  // @ts-expect-error items may not be null
  @StringListField() gaps!: (string | null)[];
}

class PartPatch extends PatchOf(Part) {}
class PartName extends PickOf(Part, ['name']) {}
class PartRest extends OmitOf(Part, ['name']) {}

export const patches: PartPatch[] = [{}, { name: 'a' }, { size: 1 }];
// @ts-expect-error a patch does not clear what was not nullable
export const nulled: PartPatch = { name: null };
// @ts-expect-error what was picked is still required
export const unnamed: PartName = {};
// @ts-expect-error what was left out is gone
export const named: PartRest = { name: 'a' };
// @ts-expect-error only fields can be picked
export const Unknown = PickOf(Part, ['colour']);
