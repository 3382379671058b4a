#include "reports/codes.h"

#include <string.h>

bool fh_codes_next(const char **codes, fh_code *code)
{
    if (*codes == NULL || **codes == '\0') {
        return false;
    }
    *code = (fh_code){*codes, strcspn(*codes, " ")};
    *codes += code->len;
    *codes += strspn(*codes, " ");
    return true;
}
