/** All forms. */
import { CLOUD_FORMS } from "./cloud_forms.ts";
import { MODEL_FORMS } from "./model_forms.ts";
import { PROGRAM_FORMS } from "./program_forms.ts";
import { SERVICE_FORMS } from "./service_forms.ts";
import { TOOL_FORMS } from "./tool_forms.ts";
import type { VendorForm } from "./vendor_form.ts";

export const VENDOR_FORMS: readonly VendorForm[] = [
  ...MODEL_FORMS,
  ...CLOUD_FORMS,
  ...TOOL_FORMS,
  ...SERVICE_FORMS,
  ...PROGRAM_FORMS,
];
