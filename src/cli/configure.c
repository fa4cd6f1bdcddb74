#include "cli/configure.h"

#include "cli/output.h"

int act_cli_configure(struct act_options *ret)
{
    struct act_settings settings = {0};
    struct act_problems problems;

    if (!ret->no_config && act_settings_load(ret->config, &settings, &problems) != 0) {
        act_output_problems(&problems);
        return ACT_EXIT_FILE;
    }
    if (ret->theme)
        settings.scheme = ret->settings.scheme;
    if (ret->no_color)
        settings.scheme = ACT_SCHEME_MONO;
    settings.plain = settings.plain || ret->plain;
    settings.ascii = settings.ascii || ret->ascii;
    settings.mouse = settings.mouse || ret->mouse;
    ret->settings = settings;
    return ACT_EXIT_OK;
}
